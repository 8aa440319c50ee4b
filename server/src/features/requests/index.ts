export { requestToWire } from './list-requests.ts'
export { routes } from './routes.ts'
export { REQUEST_FIELDS } from './schema.ts'
