import type { SmsSender } from './sms-sender.ts'

/** No phone rings because of a sandbox: what would be in the message is a known value there. */
export const sandboxSmsSender: SmsSender = { send: () => Promise.resolve() }
