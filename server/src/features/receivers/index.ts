export { askRemoteFor, readingOf, sendingProviderOf, umaNetworkOf } from './ask-remote.ts'
export { mustFindLookup, resolveReceiver, type QuoteReceiver } from './resolve-receiver.ts'
export { REMOTE_ERRORS, routes } from './routes.ts'
