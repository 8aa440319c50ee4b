import { fail } from '../../kernel/errors.ts'
import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import { gatewaySmsSender } from './gateway-sms-sender.ts'
import type { SmsSender } from './sms-sender.ts'

/** Sends nothing, because a sandbox knows the values that the message would have. */
const sandboxSmsSender: SmsSender = { send: () => Promise.resolve() }

/** Fails: NOT_IMPLEMENTED in production without a gateway. */
export function smsSenderFor(
  platform: Pick<Platform, 'environment'>,
  { smsGatewayUrl }: Pick<Settings, 'smsGatewayUrl'>,
): SmsSender {
  if (!traitsOf(platform).sendsMessages) return sandboxSmsSender
  return smsGatewayUrl === undefined ? fail('NOT_IMPLEMENTED') : gatewaySmsSender(smsGatewayUrl)
}
