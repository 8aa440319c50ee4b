export { delegatedKeySettlers } from './create-delegated-key.ts'
export { revokeKeysOfUnbound } from './revoke-delegated-key.ts'
export { routes } from './routes.ts'
