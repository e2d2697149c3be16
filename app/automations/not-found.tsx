export { default } from "../admin/not-found";
