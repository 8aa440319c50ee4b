import { failRetryLater } from '../../../kernel/errors.ts'
import { IssuerUnreachable } from '../../../providers/stablecoin-issuer.ts'

const RETRY_AFTER_SECONDS = 30

/** The provider's answer to a caller who waits for it. Fails: SERVICE_UNAVAILABLE where it gives none (STBL-18). */
export async function askIssuer<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof IssuerUnreachable)) throw error
    return failRetryLater('SERVICE_UNAVAILABLE', RETRY_AFTER_SECONDS)
  }
}
