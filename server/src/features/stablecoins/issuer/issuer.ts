import { failRetryLater } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { IssuerUnreachable, type StablecoinIssuer } from '../../../providers/stablecoin-issuer.ts'
import { providerKindFor } from '../../../providers/provider-for.ts'
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

/** The adapter that serves the platform: operations that reach it require a provider (PROV-9). */
export function issuerOf(platform: Pick<Platform, 'environment'>): StablecoinIssuer {
  invariant(
    providerKindFor(platform, 'stablecoins') === 'sandbox',
    'An issuer serves the platform.',
  )
  return sandboxIssuer
}
