/** The cookies of the dashboard. Those of sessions and sign-ins hold a secret, and the service keeps its digest. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SIGN_IN_SECONDS } from '../operator/sign-in/oidc/start-sign-in.ts'

type Cookie = Readonly<{
  name: string
  path: string
  /** `Lax` goes along when another site sends the browser here, `Strict` does not. */
  sameSite: 'Strict' | 'Lax'
  seconds: number
}>

export const SESSION: Cookie = {
  name: 'florin_dashboard',
  path: '/',
  sameSite: 'Strict',
  seconds: 12 * 60 * 60,
}

/** The issuer sends the browser back with it (OPER-32). */
export const OIDC_SIGN_IN: Cookie = {
  name: 'florin_sign_in',
  path: '/sign-in/oidc',
  sameSite: 'Lax',
  seconds: SIGN_IN_SECONDS,
}

/** The page to go to after signing in; also the issuer's answer comes with it (OPER-135). */
export const LANDING: Cookie = {
  name: 'florin_landing',
  path: '/',
  sameSite: 'Lax',
  seconds: 60 * 60,
}

export const readCookie = ({ headers }: FastifyRequest, { name }: Cookie): string | undefined =>
  (headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)

type Content = Readonly<{
  /** Undefined takes the cookie away. */
  secret: string | undefined
  origin: string | undefined
}>

export function setCookie(
  reply: FastifyReply,
  { name, path, sameSite, seconds }: Cookie,
  { secret, origin }: Content,
): void {
  const parts = [
    `${name}=${secret ?? ''}`,
    `Path=${path}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    `Max-Age=${secret === undefined ? 0 : seconds}`,
    ...(origin?.startsWith('https:') ? ['Secure'] : []),
  ]
  void reply.header('set-cookie', parts.join('; '))
}
