import { failFields } from '../../kernel/errors.ts'
import { mustParseId } from '../../kernel/ids.ts'
import type { Outside } from '../../infra/http/operation.ts'
import type { StablecoinIssuer, TokenDescription } from '../../providers/stablecoin-issuer.ts'
import { askIssuer } from './ask-issuer.ts'
import { openCredentials, type ProviderLink } from './provider-link.ts'
import type { RegisterRequest } from './schema.ts'
import { chooseLink } from './usable-link.ts'

export type DescribedToken = Readonly<{ link: ProviderLink; description: TokenDescription }>

/**
 * Chooses the link and learns from the provider what the token is.
 * Fails: as chooseLink does, SERVICE_UNAVAILABLE, INVALID_INPUT where the provider does not know it.
 */
export async function describeToken(
  issuer: StablecoinIssuer,
  { deps, platform }: Pick<Outside, 'deps' | 'platform'>,
  request: RegisterRequest,
): Promise<DescribedToken> {
  const { stablecoinProviderAccountId: id, ...token } = request
  const named = id === undefined ? undefined : mustParseId('stablecoinProviderAccount', id)
  const link = await chooseLink(deps.db.read, platform.id, named)
  const description = await askIssuer(
    issuer.describeToken({
      ...token,
      credentials: openCredentials(deps.keyring, link),
      providerAccountId: link.providerAccountId,
      elapsedMs: 0,
    }),
  )
  if (!description) {
    const message = 'is not known to the provider'
    return failFields([{ field: 'providerTokenIdentifier', message }])
  }
  return { link, description }
}
