/** Signing in at the operators' issuer, as the browser goes there and comes back (OPER-32). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { Deps } from '../../../infra/deps.ts'
import { createFailedAuthLimiter } from '../../../infra/http/edge/rate-limiter.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import {
  finishOidcSignIn,
  type RefusedSignIn,
} from '../../../operator/sign-in/oidc/finish-sign-in.ts'
import { oidcClientOf } from '../../../operator/sign-in/oidc/issuer.ts'
import { startOidcSignIn } from '../../../operator/sign-in/oidc/start-sign-in.ts'
import { html } from '../../../pages/html.ts'
import { OIDC_SIGN_IN, readCookie, SESSION, setCookie } from '../../cookies.ts'
import { ownOrigin } from '../../gate.ts'
import { takeLanding } from './landing.ts'
import { HEADERS, sendCard } from '../../layout.ts'
import { waysToSignIn } from '../../ways-to-sign-in.ts'

const PATH = '/sign-in/oidc'

export function registerOidcSignIn(http: FastifyInstance, deps: Deps): void {
  const { settings, log } = deps
  const client = oidcClientOf(settings)
  if (!client) return
  const limit = createFailedAuthLimiter(deps)

  http.get(PATH, async (request, reply) => {
    const here = ownOrigin(request, settings) ?? ''
    const origin = settings.adminUrl ?? here
    // The issuer sends back to one address, and the cookie has to be there.
    if (here !== origin) return reply.headers(HEADERS).redirect(`${origin}${request.url}`)
    // Each leaves a row until it is over, whether or not somebody comes back from the issuer (CORE-25).
    await limit?.take(`sign-in ${request.ip}`)
    const isAgain = queryOf(request.url).has('again')
    const started = await startOidcSignIn(deps, client, { origin, isAgain }).catch(orApiError)
    if (started instanceof ApiError) {
      log.warn({ because: started.because }, 'sign-in by OIDC')
      return sendUnreachable(reply, settings)
    }
    setCookie(reply, OIDC_SIGN_IN, { secret: started.secret, origin })
    return reply.headers(HEADERS).redirect(started.url)
  })

  http.get(`${PATH}/callback`, async (request, reply) => {
    const origin = settings.adminUrl ?? ownOrigin(request, settings) ?? ''
    const secret = readCookie(request, OIDC_SIGN_IN)
    const query = queryOf(request.url)
    const answer = await finishOidcSignIn(deps, client, {
      returned: { secret, query, origin },
      address: request.ip,
      beforeRefusal: async () => limit?.take(`failed-auth ${request.ip}`),
    })
    if ('reason' in answer) return sendRefused(reply, settings, answer)
    setCookie(reply, OIDC_SIGN_IN, { secret: undefined, origin })
    setCookie(reply, SESSION, { secret: answer.session, origin })
    return sendSignedIn(reply, { name: answer.name, landing: takeLanding(request, reply) })
  })
}

function orApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

const queryOf = (url: string): URLSearchParams => new URL(url, 'http://dashboard').searchParams

/**
 * The browser comes from another site, and so would be sent on without the cookie of the session; from this page it goes
 * with it.
 */
const sendSignedIn = (
  reply: FastifyReply,
  { name, landing }: Readonly<{ name: string; landing: string }>,
) =>
  sendCard(reply.header('refresh', `0; url=${landing}`), {
    title: `Signed in as ${name}`,
    body: html`<p><a class="button good" href="${landing}">Go on</a></p>`,
  })

const sendRefused = (reply: FastifyReply, settings: Settings, { status, reason }: RefusedSignIn) =>
  sendCard(reply, {
    status,
    title: status === 403 ? 'You may not use this dashboard' : 'Signing in did not work',
    body: html`<p>${status === 403 ? FORBIDDEN : 'What came back was refused.'}</p>
      <p class="small">Reason: ${reason}.</p>
      ${waysToSignIn(settings)}`,
  })

const FORBIDDEN = 'An administrator has to invite you, or add you to a group that has a role.'

const sendUnreachable = (reply: FastifyReply, settings: Settings) =>
  sendCard(reply, {
    status: 503,
    title: 'The issuer cannot be reached',
    body: html`<p>Try again in a moment. The log of the service says more.</p>
      ${waysToSignIn(settings)}`,
  })
