/** Lifetime and redirect addresses of links to the hosted flow. Pure. */
import { DAY_MS } from '../../../kernel/clock.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import { isObject } from '../../customers/index.ts'
import type { KycLink } from './store.ts'

export const KYC_LINK_LIFETIME_MS = DAY_MS

export type KycLinkState = 'OPEN' | 'USED' | 'EXPIRED'

/** A used link stays `USED` after its expiry (KYC-24, KYC-25). */
export function kycLinkState({ usedAt, expiresAt }: KycLink, now: Date): KycLinkState {
  if (usedAt) return 'USED'
  return now < expiresAt ? 'OPEN' : 'EXPIRED'
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d{1,3}){3}$/.test(hostname)

/** The redirect is https or loopback (KYC-22). A malformed address is the schema's finding. */
export function checkRedirectUri(body: unknown): FieldError[] {
  const uri = isObject(body) ? body['redirectUri'] : undefined
  if (typeof uri !== 'string' || !FORMATS['url']?.(uri)) return []
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:' || isLoopback(hostname)) return []
  const message = 'must be https, or http to this machine'
  return [{ field: 'redirectUri', constraint: { format: 'url' }, message }]
}

/** The URL shows the redirect address to the applicant; the flow uses the stored one (KYC-21, KYC-26). */
export function kycUrl({
  publicUrl,
  token,
  redirectUri,
}: Readonly<{ publicUrl: string; token: string; redirectUri: string | undefined }>): string {
  const page = `${publicUrl}/verify/${token}`
  return redirectUri === undefined
    ? page
    : `${page}?redirect_uri=${encodeURIComponent(redirectUri)}`
}
