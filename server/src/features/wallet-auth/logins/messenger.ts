/** The wording of a login code, and whether it goes out by e-mail or SMS (CHAL-9). */
import type { Work } from '../../../infra/work/work.ts'
import { emailSenderFor } from '../../../providers/email/email-sender-for.ts'
import { smsSenderFor } from '../../../providers/sms/sms-sender-for.ts'
import type { PlatformConfig } from '../../platform/index.ts'
import type { OtpType } from '../credentials/auth-method.ts'

export type Message = Readonly<{ to: string; code: string; lifetimeSeconds: number }>

/** Sends a code. Fails: SERVICE_UNAVAILABLE. */
export type Messenger = (message: Message) => Promise<void>

/** The name is quoted, so that one with a comma stays one sender. Without an address the service's own sender is used. */
function senderOf(config: PlatformConfig['embeddedWallet']): { emailFrom?: string } {
  if (config?.sendFromEmailAddress === undefined) return {}
  const name = (config.sendFromEmailSenderName ?? '').replaceAll(/["\\]/g, '')
  return { emailFrom: `"${name}" <${config.sendFromEmailAddress}>` }
}

type Wording = Readonly<{ type: OtpType; config: PlatformConfig['embeddedWallet'] }>

/** Fails: NOT_IMPLEMENTED if a production platform has no way to send. */
export function messengerOf(
  { platform, settings }: Pick<Work, 'platform' | 'settings'>,
  { type, config }: Wording,
): Messenger {
  const app = config?.appName ?? platform.name
  if (type === 'SMS_OTP') {
    const sender = smsSenderFor(platform, settings)
    return ({ to, code, lifetimeSeconds }) =>
      sender.send({
        to,
        text: `${code} is your ${app} code. It is valid for ${lifetimeSeconds} seconds. Do not share it.`,
      })
  }
  const sender = emailSenderFor(platform, { ...settings, ...senderOf(config) })
  return ({ to, code, lifetimeSeconds }) =>
    sender.send({
      to,
      subject: `${code} is your ${app} code`,
      text: `Your code to log in to ${app} is\n\n    ${code}\n\nIt is valid for ${lifetimeSeconds} seconds. Do not share it. If you did not ask for it, ignore this message.\n`,
      replyTo: config?.replyToEmailAddress,
      logoUrl: config?.logoUrl,
    })
}
