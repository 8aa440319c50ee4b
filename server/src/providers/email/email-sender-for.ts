import { fail } from '../../kernel/errors.ts'
import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import { smtpEmailSender } from './smtp-email-sender.ts'
import type { EmailSender } from './email-sender.ts'

/** Sends nothing, because a sandbox knows the values that the mail would have. */
const sandboxEmailSender: EmailSender = { send: () => Promise.resolve() }

/** Fails: NOT_IMPLEMENTED in production without a mail server. */
export function emailSenderFor(
  platform: Pick<Platform, 'environment'>,
  { smtpUrl, emailFrom }: Pick<Settings, 'smtpUrl' | 'emailFrom'>,
): EmailSender {
  if (!traitsOf(platform).sendsMessages) return sandboxEmailSender
  return smtpUrl === undefined ? fail('NOT_IMPLEMENTED') : smtpEmailSender({ smtpUrl, emailFrom })
}
