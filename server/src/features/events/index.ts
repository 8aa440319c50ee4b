export { readEvent } from './read-event.ts'
export { redeliverEvent } from './redeliver-event.ts'
export { routes } from './routes.ts'
export { findLastPosition, listEmitted } from './store.ts'
