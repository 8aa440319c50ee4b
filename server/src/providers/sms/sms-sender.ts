/** `to` is an E.164 number. */
export type Sms = Readonly<{ to: string; text: string }>

/** The port to an SMS gateway. */
export type SmsSender = Readonly<{
  /** Resolves once the message is handed over. Fails: SERVICE_UNAVAILABLE. */
  send(sms: Sms): Promise<void>
}>
