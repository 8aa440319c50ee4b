import { failFields } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import type { Outside } from '../../../infra/http/operation.ts'
import type { TokenDescription } from '../../../providers/stablecoin-issuer.ts'
import { platformTime } from '../../../kernel/platform.ts'
import { askIssuer, issuerOf, type IssuerFor } from '../issuer/issuer.ts'
import { findRegistrationTime } from './store.ts'
import { openCredentials, type ProviderLink } from '../links/provider-link.ts'
import type { RegisterRequest } from '../schema.ts'
import { chooseLink } from '../links/usable-link.ts'

export type DescribedToken = Readonly<{ link: ProviderLink; description: TokenDescription }>

/**
 * Chooses the link and asks the provider to describe the token.
 * Fails: as chooseLink does, SERVICE_UNAVAILABLE, INVALID_INPUT where the provider does not know it.
 */
export async function describeToken(
  { deps, platform, requestKey }: Pick<Outside, 'deps' | 'platform'> & { requestKey: string },
  request: RegisterRequest,
  issuerFor: IssuerFor = issuerOf,
): Promise<DescribedToken> {
  const { db, clock, keyring } = deps
  const { stablecoinProviderAccountId: id, ...token } = request
  const named = id === undefined ? undefined : mustParseId('stablecoinProviderAccount', id)
  const link = await chooseLink(db.read, platform.id, named)
  const now = platformTime(platform, clock.now())
  // A coin that is bound again keeps its age (STBL-24).
  const since = await findRegistrationTime(db.read, platform.id, token.networkTokenIdentifier)
  const description = await askIssuer(
    issuerFor(deps, platform, link).describeToken({
      ...token,
      requestKey,
      credentials: openCredentials(keyring, link),
      providerAccountId: link.providerAccountId,
      elapsedMs: since ? now.getTime() - since.getTime() : 0,
    }),
  )
  if (!description) {
    const message = 'is not known to the provider'
    return failFields([{ field: 'providerTokenIdentifier', message }])
  }
  return { link, description }
}
