export { mustHaveVerifiedContact } from './pending-channel.ts'
export { routes } from './routes.ts'
export { voidCode } from './void-code.ts'
