import { fail } from '../../kernel/errors.ts'
import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import { sandboxEmailSender } from './sandbox-email-sender.ts'
import { smtpEmailSender } from './smtp-email-sender.ts'
import type { EmailSender } from './email-sender.ts'

/** A sandbox sends nothing. Fails: NOT_IMPLEMENTED in production without a mail server. */
export function emailSenderFor(
  platform: Pick<Platform, 'environment'>,
  { smtpUrl, emailFrom }: Pick<Settings, 'smtpUrl' | 'emailFrom'>,
): EmailSender {
  if (!traitsOf(platform).sendsMessages) return sandboxEmailSender
  return smtpUrl === undefined ? fail('NOT_IMPLEMENTED') : smtpEmailSender({ smtpUrl, emailFrom })
}
