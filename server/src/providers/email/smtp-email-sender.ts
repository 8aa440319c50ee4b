import { SECOND_MS } from '../../kernel/clock.ts'
import { ApiError, retryAfter } from '../../kernel/errors.ts'
import type { EmailSender } from './email-sender.ts'

const RETRY_AFTER_SECONDS = 10

/** Limits of each step, since a request waits for the mail. */
const TIME_LIMITS = {
  connectionTimeout: 5 * SECOND_MS,
  greetingTimeout: 5 * SECOND_MS,
  socketTimeout: 10 * SECOND_MS,
}

/** Sends mail by SMTP, with one connection each. Acceptance by the server is success; a refusal can be tried again. */
export function smtpEmailSender(options: { smtpUrl: string; emailFrom: string }): EmailSender {
  return {
    async send({ to, subject, text, replyTo, logoUrl }) {
      // Loaded when a mail is first sent; most installations of the sandbox send none.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url: options.smtpUrl, ...TIME_LIMITS })
      try {
        await transport.sendMail({
          from: options.emailFrom,
          to: { name: '', address: to },
          subject,
          text,
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          ...(logoUrl && { html: withLogo({ text, logoUrl }) }),
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

const escape = (text: string): string => text.replaceAll(/[&<"]/g, (one) => ENTITIES[one] ?? one)

const withLogo = ({ text, logoUrl }: { text: string; logoUrl: string }): string =>
  `<p><img src="${escape(logoUrl)}" alt="" height="48"></p><pre style="font: inherit; white-space: pre-wrap">${escape(text)}</pre>`
