import type { Deps } from '../../../infra/deps.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { emailSenderFor } from '../../../providers/email/email-sender-for.ts'
import { smsSenderFor } from '../../../providers/sms/sms-sender-for.ts'
import type { ScaFactor } from '../factors/factor.ts'
import type { Notice } from '../job-definitions.ts'

const NAMES: Readonly<Record<ScaFactor, string>> = {
  SMS_OTP: 'phone number for codes',
  TOTP: 'authenticator app',
  PASSKEY: 'passkey',
}

const EVENTS: Readonly<Record<Notice['change'], (name: string) => string>> = {
  ENROLLED: (name) => `a new ${name} was added to your account`,
  REMOVED: (name) => `the ${name} was removed from your account`,
  PHONE_CHANGED: (name) => `the ${name} was changed`,
  RESET_STARTED: (name) => `a reset of the ${name} was started`,
  RESET_COMPLETED: (name) => `the ${name} was reset`,
}

/** `2026-11-15 23:10 UTC` */
const readable = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

/** The text says what changed, when, and whom to contact; no code and no link (SCA-59). */
export function noticeText(
  { name }: Pick<Platform, 'name'>,
  { change, factor, at }: Pick<Notice, 'change' | 'factor' | 'at'>,
): string {
  const event = EVENTS[change](NAMES[factor])
  return `${name}: on ${readable(at)} ${event}. If this was not you, contact ${name} at once.`
}

/** Fails: SERVICE_UNAVAILABLE, or NOT_IMPLEMENTED if there is no way to send; the job is retried. */
export async function sendNotice(
  { settings }: Deps,
  platform: Platform,
  notice: Notice,
): Promise<void> {
  const { channel, to } = notice
  const text = noticeText(platform, notice)
  if (channel === 'phone') return smsSenderFor(platform, settings).send({ to, text })
  const subject = `Your security settings at ${platform.name} changed`
  return emailSenderFor(platform, settings).send({ to, subject, text: `${text}\n` })
}
