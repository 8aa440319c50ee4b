export type Email = Readonly<{
  to: string
  subject: string
  text: string
  replyTo?: string | undefined
  /** The logo of the platform in whose name the mail is sent; shown above the text. */
  logoUrl?: string | undefined
}>

/** The port to a mail server. */
export type EmailSender = Readonly<{
  /** Resolves once the mail is handed over. Fails: SERVICE_UNAVAILABLE. */
  send(email: Email): Promise<void>
}>
