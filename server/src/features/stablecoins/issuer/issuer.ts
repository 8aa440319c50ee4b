import { failRetryLater } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { isRemote } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Outside } from '../../../infra/http/operation.ts'
import { findBuiltIn } from '../../../infra/providers/built-in.ts'
import { IssuerUnreachable, type StablecoinIssuer } from '../../../providers/stablecoin-issuer.ts'
import type { ProviderLink } from '../links/provider-link.ts'
import { httpIssuer } from './http-issuer.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'

const RETRY_AFTER_SECONDS = 30

/** Waits for the provider's answer inside a request. Fails: SERVICE_UNAVAILABLE where it gives none (STBL-18). */
export async function askIssuer<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof IssuerUnreachable)) throw error
    return failRetryLater('SERVICE_UNAVAILABLE', RETRY_AFTER_SECONDS)
  }
}

/** What repetitions of a request have in common. */
export function requestKeyOf(keyed: Outside['keyed']): string {
  invariant(keyed, 'Every write of stablecoins has an idempotency key.')
  return `${keyed.key} ${keyed.fingerprint.toString('hex')}`
}

export type ServingIssuer = Readonly<{
  issuer: StablecoinIssuer
  servedBy: Id<'provider'> | null
}>

/** The issuer of new links: operations that reach it require a provider of the port (PROV-9). */
export function chooseIssuer(deps: Deps, platform: Platform): ServingIssuer {
  const provider = deps.providers.portsOf(platform).providerOf({ port: 'stablecoins' })
  const servedBy = provider && isRemote(provider) ? provider.id : null
  return { issuer: issuerOf(deps, platform, { servedBy }), servedBy }
}

export type IssuerFor = (
  deps: Deps,
  platform: Platform,
  link: Pick<ProviderLink, 'servedBy'>,
) => StablecoinIssuer

/** The issuer that a link was made with, whatever is registered by now: it alone gets the credentials (PROV-130). */
export const issuerOf: IssuerFor = (deps, platform, { servedBy }) => {
  if (servedBy !== null) return httpIssuer(deps, platform, servedBy)
  const builtIn = findBuiltIn(deps.providers.builtIn, platform.environment, { port: 'stablecoins' })
  invariant(builtIn?.kind === 'sandbox', 'The sandbox has an issuer built in.')
  return sandboxIssuer
}
