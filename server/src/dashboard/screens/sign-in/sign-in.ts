/** Signing in by a link and out again. Looking at a link does not use it up; pressing the button does. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { Deps } from '../../../infra/deps.ts'
import { createFailedAuthLimiter } from '../../../infra/http/edge/rate-limiter.ts'
import { recordSecurityEvent } from '../../../infra/work/security-event.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import { readLink, signIn, signOut } from '../../../operator/sign-in/dashboard-access.ts'
import { html } from '../../../pages/html.ts'
import { isFromOwnPage, ownOrigin, refuseForeignForm, sessionOf, typedIn } from '../../gate.ts'
import { SESSION, setCookie } from '../../cookies.ts'
import { takeLanding } from './landing.ts'
import { HEADERS, sendCard } from '../../layout.ts'
import { waysToSignIn } from '../../ways-to-sign-in.ts'

export function registerSignIn(http: FastifyInstance, deps: Deps): void {
  const { settings } = deps
  const failures = createFailedAuthLimiter(deps)
  http.get('/sign-in/:secret', async (request, reply) => {
    const { secret } = request.params as { secret: string }
    const name = await readLink(deps, secret)
    if (name === undefined) {
      await failures?.take(`failed-auth ${request.ip}`)
      return sendSpentLink(reply, settings)
    }
    return sendCard(reply, {
      title: 'Florin dashboard',
      body: html`<p>This link works once.</p>
        <form method="post" action="/sign-in">
          <input type="hidden" name="secret" value="${secret}" />
          <button class="good" autofocus>Sign in as ${name}</button>
        </form>
        <p class="small">What you do is kept under this name.</p>`,
    })
  })
  http.post('/sign-in', async (request, reply) => {
    if (!isFromOwnPage(request, settings)) return refuseForeignForm(reply)
    try {
      const secret = await signIn(deps, typedIn(request).get('secret') ?? '')
      setCookie(reply, SESSION, { secret, origin: ownOrigin(request, settings) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Beyond the limit it fails, so that not every guess is audited (CORE-25).
      await failures?.take(`failed-auth ${request.ip}`)
      const note = `link, from ${request.ip}`
      await recordSecurityEvent(deps, { action: 'dashboard sign-in refused', note })
      return sendSpentLink(reply, settings)
    }
    return reply.headers(HEADERS).redirect(takeLanding(request, reply), 303)
  })
}

const sendSpentLink = (reply: FastifyReply, settings: Settings) =>
  sendCard(reply, {
    status: 410,
    title: 'This link cannot be used',
    body: html`<p>It was used already, or its time is over.</p>
      ${waysToSignIn(settings)}`,
  })

export function registerSignOut(scope: FastifyInstance, deps: Deps): void {
  scope.post('/sign-out', async (request, reply) => {
    const session = sessionOf(request)
    if (session) await signOut(deps, session)
    setCookie(reply, SESSION, { secret: undefined, origin: undefined })
    return sendCard(reply, {
      title: 'Signed out',
      body: html`<p>This session is over.</p>
        ${waysToSignIn(deps.settings)}`,
    })
  })
}
