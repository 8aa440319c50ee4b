import type { EmailSender } from './email-sender.ts'

/** Nobody's mailbox is reached from a sandbox: what would be in the mail is a known value there. */
export const sandboxEmailSender: EmailSender = { send: () => Promise.resolve() }
