/** The text of a code's message, and how it is sent. */
import { MINUTE_MS } from '../../kernel/clock.ts'
import type { Work } from '../../infra/work/work.ts'
import { emailSenderFor } from '../../providers/email/email-sender-for.ts'
import { smsSenderFor } from '../../providers/sms/sms-sender-for.ts'
import type { Channel } from '../customers/index.ts'
import { CODE_LIFETIME_MS } from './rules.ts'

/** Sends a code. Fails: SERVICE_UNAVAILABLE. */
export type Messenger = (message: { to: string; code: string }) => Promise<void>

const MINUTES = CODE_LIFETIME_MS / MINUTE_MS

/** Fails: NOT_IMPLEMENTED where a production platform has no way to send. */
export function messengerFor(
  { platform, settings }: Pick<Work, 'platform' | 'settings'>,
  channel: Channel,
): Messenger {
  if (channel === 'phone') {
    const sender = smsSenderFor(platform, settings)
    const text = (code: string): string =>
      `${code} is your ${platform.name} code. It is valid for ${MINUTES} minutes. Do not share it.`
    return ({ to, code }) => sender.send({ to, text: text(code) })
  }
  const sender = emailSenderFor(platform, settings)
  return ({ to, code }) =>
    sender.send({
      to,
      subject: `${code} is your ${platform.name} code`,
      text: `Your code to confirm this e-mail address at ${platform.name} is\n\n    ${code}\n\nIt is valid for ${MINUTES} minutes. Do not share it. If you did not ask for it, ignore this message.\n`,
    })
}
