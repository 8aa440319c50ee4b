export { screenNewAccount } from './ask.ts'
export { screenings } from './screenings.ts'
export { findPlatformOfSubject, listScreenings } from './store.ts'
