export { listEvents } from './list-events.ts'
export { redeliverEvent } from './redeliver-event.ts'
export { routes } from './routes.ts'
export { findLastPosition, listEmitted } from './store.ts'
