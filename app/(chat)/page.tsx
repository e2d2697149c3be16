export default function Page() {
  return <p>Ringmaster</p>;
}
