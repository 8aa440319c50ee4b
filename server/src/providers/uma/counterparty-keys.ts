import type { X509Certificate } from 'node:crypto'
import type { PubKeyResponse } from '@uma-sdk/core'
import { fail } from '../../kernel/errors.ts'
import type { GuardedFetch } from '../../infra/outbound/ssrf.ts'
import { getText } from './get-text.ts'

/**
 * The keys that a provider publishes under its domain, its certificates checked.
 * Fails: COUNTERPARTY_PUBKEY_FETCH_ERROR, INVALID_PUBKEY_FORMAT, CERT_CHAIN_INVALID, CERT_CHAIN_EXPIRED.
 */
export async function fetchCounterpartyKeys(
  outgoing: GuardedFetch,
  { domain, now }: Readonly<{ domain: string; now: Date }>,
): Promise<PubKeyResponse> {
  const url = `https://${domain}/.well-known/lnurlpubkey`
  const answer = await getText(outgoing, { method: 'GET', url })
  if (answer.status !== 200) return fail('COUNTERPARTY_PUBKEY_FETCH_ERROR')
  const { PubKeyResponse } = await import('@uma-sdk/core')
  const keys = parsed(() => PubKeyResponse.fromJson(answer.text))
  checkChain(keys.signingCertChain, now)
  checkChain(keys.encryptionCertChain, now)
  // A key that is not on the curve is refused here, before it is used.
  const lengths = parsed(() => [keys.getSigningPubKey(), keys.getEncryptionPubKey()])
  const isWhole = lengths.every(({ length }) => length === 33 || length === 65)
  return isWhole ? keys : fail('INVALID_PUBKEY_FORMAT')
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    return fail('INVALID_PUBKEY_FORMAT')
  }
}

/** Leaf first: each is signed by the next, the last by itself, and all are valid now. */
function checkChain(chain: readonly X509Certificate[] | undefined, now: Date): void {
  chain?.forEach((certificate, index) => {
    const issuer = chain[index + 1] ?? certificate
    if (!certificate.verify(issuer.publicKey)) fail('CERT_CHAIN_INVALID')
    if (Date.parse(certificate.validTo) <= now.getTime()) fail('CERT_CHAIN_EXPIRED')
    if (Date.parse(certificate.validFrom) > now.getTime()) fail('CERT_CHAIN_INVALID')
  })
}
