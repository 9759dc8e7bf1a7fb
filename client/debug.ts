export { debugLog } from "#specbind/client/debug";
