/** An import would read everything that `node:http` exports, and with `WebSocket` load a second HTTP client that is not used. */
export const http = process.getBuiltinModule('node:http')
