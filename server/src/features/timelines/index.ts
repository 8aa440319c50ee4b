export { routes } from './routes.ts'
export type { TimelineRow } from './store.ts'
export { THINGS, type Thing } from './things-store.ts'
export { timelineOf } from './timeline.ts'
