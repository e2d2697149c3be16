/** A command refuses to do something; the message tells a person why and what to do instead. */
export class Refused extends Error {
  override readonly name = "Refused";
}
