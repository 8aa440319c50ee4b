export type Email = Readonly<{
  to: string
  subject: string
  text: string
  replyTo?: string | undefined
  /** Of whoever the mail speaks for; shown above the text. */
  logoUrl?: string | undefined
}>

/** The way to somebody's mailbox. */
export type EmailSender = Readonly<{
  /** Resolves once the mail is handed over. Fails: SERVICE_UNAVAILABLE. */
  send(email: Email): Promise<void>
}>
