/** The operators' dashboard: pages on the admin listener that do what the operator's commands do. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../infra/deps.ts'
import { ApiError } from '../kernel/errors.ts'
import { html } from '../pages/html.ts'
import { isToSignInAgain, refusalOf } from './ask.ts'
import { askToSignInAgain, createGate, guard, ownOrigin, sessionOf } from './gate.ts'
import { registerAssets, sendCard } from './layout.ts'
import { registerLookUp } from './screens/look-up.ts'
import { registerOverview } from './screens/overview.ts'
import type { Gate, Section } from './section.ts'
import { sections as ALL } from './sections.ts'
import { createStreams } from '../infra/http/edge/streams.ts'
import { createWatch } from '../operator/queries/live/watch.ts'
import { isLive, serveLive } from './screens/live-list.ts'
import { serveSection } from './serve-section.ts'
import { registerOidcSignIn } from './screens/sign-in/oidc-sign-in.ts'
import { registerSignIn, registerSignOut } from './screens/sign-in/sign-in.ts'

const FORM_BYTES_MAX = 256 * 1024

export function registerDashboard(
  http: FastifyInstance,
  deps: Deps,
  sections: readonly Section[] = ALL,
): void {
  const gate = createGate(deps, sections)
  void http.register(async (scope) => {
    takeForms(scope)
    scope.addHook('onRequest', async (request, reply) => {
      if (ownOrigin(request, deps.settings) === undefined) return refuseHost(reply)
    })
    scope.setErrorHandler<Error>((error, request, reply) => showError(gate, error, request, reply))
    registerAssets(scope)
    registerSignIn(scope, deps)
    registerOidcSignIn(scope, deps)
    void scope.register(async (inner) => {
      guard(inner, deps)
      registerSignOut(inner, deps)
      registerOverview(inner, gate)
      registerLookUp(inner, gate)
      const live = { watch: createWatch(deps), streams: createStreams(inner) }
      for (const section of sections) {
        serveSection(inner, gate, section)
        if (isLive(section)) serveLive(inner, { gate, ...live }, section)
      }
      // What there is not is nobody's to know who is not signed in.
      inner.all('/*', (request, reply) => showNothing(gate, request, reply))
    })
  })
}

function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, body),
  )
}

const refuseHost = (reply: FastifyReply) =>
  sendCard(reply, {
    status: 421,
    title: 'The dashboard is not at this address',
    body: html`<p>
      It answers on this machine, under <code>ADMIN_HOST</code>, and under the address that
      <code>ADMIN_URL</code> names.
    </p>`,
  })

async function showNothing(gate: Gate, request: FastifyRequest, reply: FastifyReply) {
  const visit = await gate.visit(request)
  return gate.show(reply, visit, {
    status: 404,
    title: 'Page not found',
    body: html`<p>It may have been moved, or the thing it was about is gone.</p>`,
  })
}

const UNREADABLE = 'What was sent is no form of this dashboard, or it is too large.'

/** A refusal is said in words; a bug is logged, and only that it happened is shown. */
async function showError(gate: Gate, error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (isToSignInAgain(error)) return askToSignInAgain(reply, gate.deps.settings)
  const { log } = gate.deps
  const { statusCode = 500 } = error as { statusCode?: number }
  let said
  try {
    const isUnreadable = statusCode >= 400 && statusCode < 500
    said = isUnreadable ? { status: statusCode, says: [UNREADABLE] } : refusalOf(error)
  } catch {
    log.error({ err: error, requestId: request.id }, 'dashboard')
    const says = ['Something went wrong here. The log of the service says more.']
    said = { status: 500, says }
  }
  const { status, says } = said
  if (error instanceof ApiError) void reply.headers(error.headers ?? {})
  const title = status === 404 ? 'This is not there' : 'This did not work'
  const screen = { status, title, body: html`${says.map((one) => html`<p>${one}</p>`)}` }
  if (!sessionOf(request) || status === 500) return sendCard(reply, screen)
  return gate.show(reply, await gate.visit(request), screen)
}
