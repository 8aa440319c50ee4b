import { createTransport } from 'nodemailer'
import { SECOND_MS } from '../../kernel/clock.ts'
import { ApiError, retryAfter } from '../../kernel/errors.ts'
import type { EmailSender } from './email-sender.ts'

const RETRY_AFTER_SECONDS = 10

/** Each wait of the dialogue; whoever asked for the mail is waiting as well. */
const TIME_LIMITS = {
  connectionTimeout: 5 * SECOND_MS,
  greetingTimeout: 5 * SECOND_MS,
  socketTimeout: 10 * SECOND_MS,
}

/** Mail by SMTP, a connection for each. The server's acceptance is the success; what it refuses can be tried again. */
export function smtpEmailSender(options: { smtpUrl: string; emailFrom: string }): EmailSender {
  const transport = createTransport({ url: options.smtpUrl, ...TIME_LIMITS })
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({
          from: options.emailFrom,
          to: { name: '', address: to },
          subject,
          text,
        })
      } catch (error) {
        throw new ApiError('SERVICE_UNAVAILABLE', {
          headers: retryAfter(RETRY_AFTER_SECONDS),
          because: `mail was not accepted: ${(error as Error).message}`,
        })
      }
    },
  }
}
