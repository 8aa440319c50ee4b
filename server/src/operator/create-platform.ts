import { formatId, newId, newUuid } from '../kernel/ids.ts'
import { PERMISSIONS } from '../kernel/access/permissions.ts'
import type { Environment, Platform, PlatformKind } from '../kernel/platform.ts'
import type { Deps } from '../infra/deps.ts'
import { audit } from '../infra/work/audit.ts'
import { inWork } from '../infra/work/in-work.ts'
import { clientIdOf, createToken } from '../features/api-tokens/index.ts'
import { createPlatform as createPlatformRow } from '../features/platform/index.ts'
import { operatorOf } from './in-platform.ts'

export type PlatformRequest = Readonly<{
  name: string
  kind: Exclude<PlatformKind, 'HOUSE'>
  environment: Environment
  currencies: readonly string[]
  skipVerificationPaperwork?: boolean
  strictIdentifiers?: boolean
  passkeyOrigins?: readonly string[]
  cardOrigins?: readonly string[]
}>

export type PlatformCredentials = Readonly<{
  platformId: string
  tokenId: string
  clientId: string
  clientSecret: string
  webhookPublicKey: string
}>

/** A platform with everything it needs to begin: configuration, accounts, webhook keys and a first token. */
export async function createPlatform(
  deps: Deps,
  request: PlatformRequest,
): Promise<PlatformCredentials> {
  const platform: Platform = {
    id: newId('platform'),
    name: request.name,
    kind: request.kind,
    environment: request.environment,
    clockOffsetMs: 0,
    skipVerificationPaperwork: request.skipVerificationPaperwork ?? false,
    strictIdentifiers: request.strictIdentifiers ?? false,
    travelRule: false,
  }
  return inWork(deps, { platform, actor: operatorOf(deps), requestId: newUuid() }, async (work) => {
    const { webhookPublicKey } = await createPlatformRow(work, {
      currencies: request.currencies,
      passkeyOrigins: request.passkeyOrigins ?? [],
      cardOrigins: request.cardOrigins ?? [],
      umaDomain: deps.settings.umaDomain,
    })
    const { token, clientSecret } = await createToken(work, {
      name: 'first token',
      permissions: PERMISSIONS,
    })
    const platformId = formatId('platform', platform.id)
    audit(work, { action: 'platforms create', resource: platformId })
    return {
      platformId,
      tokenId: formatId('token', token.id),
      clientId: clientIdOf(token.id),
      clientSecret,
      webhookPublicKey,
    }
  })
}
