/** What every request passes before anything is shown or done: its host, where it comes from, who is signed in. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../infra/deps.ts'
import { fail } from '../kernel/errors.ts'
import type { Settings } from '../infra/settings/settings.ts'
import { ownValue } from '../infra/work/own-value.ts'
import { callerOf } from '../operator/access/caller.ts'
import { mayUse } from '../operator/access/must-be-allowed.ts'
import { findSession, leaveNotice, type Session } from '../operator/sign-in/dashboard-access.ts'
import { html, type Html } from '../pages/html.ts'
import { askAs, submitAs } from './ask.ts'
import { readCookie, SESSION } from './cookies.ts'
import { keptForm, markOutdated } from './screens/sign-in/kept-form.ts'
import { rememberAsked, rememberPage } from './screens/sign-in/landing.ts'
import { HEADERS, sendCard, sendScreen } from './layout.ts'
import type { Counted, Gate, Section, Visit } from './section.ts'
import { waysToSignIn } from './ways-to-sign-in.ts'
import { platformCommands } from '../operator/commands/service/platforms.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The origin under which we are asked, where that is one of ours: a name that others lead here is not (DNS rebinding). */
export function ownOrigin({ headers }: FastifyRequest, settings: Settings): string | undefined {
  const asked = URL.parse(`http://${headers.host ?? ''}`)
  if (asked === null) return undefined
  const { adminUrl, adminHost } = settings
  if (adminUrl !== undefined && URL.parse(adminUrl)?.host === asked.host) return adminUrl
  const isOurs =
    LOOPBACK.test(asked.hostname) || [adminHost, `[${adminHost}]`].includes(asked.hostname)
  return isOurs ? asked.origin : undefined
}

/**
 * Whether a form was sent from a page of ours. Our pages send no referrer, and with that browsers leave the origin out
 * as `null`; they say by `Sec-Fetch-Site` what it is to us.
 */
export function isFromOwnPage(request: FastifyRequest, settings: Settings): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = [ownOrigin(request, settings), settings.adminUrl]
  const isOwn = origin !== undefined && own.includes(origin)
  return site === undefined
    ? isOwn
    : site === 'same-origin' && (isOwn || (origin ?? 'null') === 'null')
}

export const typedIn = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '')

const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))

const sessions = ownValue<FastifyRequest, Session>('session')

export const sessionOf = (request: FastifyRequest): Session | undefined => sessions.get(request)

export function createGate(deps: Deps, sections: readonly Section[]): Gate {
  /** Counted once for a request: the overview shows what the navigation shows. */
  const counted = new WeakMap<Deps, Promise<Counted[]>>()
  const count = (as: Deps): Promise<Counted[]> => {
    const shown = sections.filter(({ list }) => mayUse(callerOf(as), list.command))
    return Promise.all(
      shown.map(async (section) => ({ section, waiting: await countIn(section, as) })),
    )
  }
  const counts = (as: Deps): Promise<Counted[]> => {
    const known = counted.get(as) ?? count(as)
    counted.set(as, known)
    return known
  }
  return {
    deps,
    counts,
    visit: (request) => visitOf(deps, request),
    async show(reply, visit, screen) {
      const session = sessions.get(reply.request)
      if (session?.notice !== undefined) await leaveNotice(deps, session, null)
      return sendScreen(reply, visit, { counted: await counts(visit.deps), screen })
    },
    async leadTo(request, reply, { location, notice }) {
      const session = sessions.get(request)
      if (session) await leaveNotice(deps, session, notice)
      return reply.headers(HEADERS).redirect(location, 303)
    },
  }
}

/** For one who is limited to some platforms, what the list itself shows is counted (OPER-3). */
async function countIn({ count, list }: Section, as: Deps): Promise<number> {
  if (!count || !callerOf(as).platforms) return (await count?.(as)) ?? 0
  const options = { ...list.views?.[0]?.options, limit: '100' }
  return (await askAs(as)(list.command, { options })).length
}

async function visitOf(deps: Deps, request: FastifyRequest): Promise<Visit> {
  const { caller, formToken, notice } = sessions.get(request) ?? fail('UNAUTHORIZED')
  const as = { ...deps, operator: caller }
  const ask = askAs(as)
  const { pathname, searchParams: query } = new URL(request.url, 'http://dashboard')
  const platforms = await ask(platformCommands.list)
  const asked = query.get('platform') ?? ''
  const isKnown = platforms.some(({ platformId }) => platformId === asked)
  const only = caller.platforms && platforms.length === 1 ? platforms[0]?.platformId : undefined
  return {
    ask,
    submit: submitAs(as),
    deps: as,
    now: deps.clock.now(),
    caller,
    formToken,
    notice,
    platformId: isKnown ? asked : only,
    platforms,
    path: request.method === 'GET' ? pathname : pageBehind(pathname),
    query,
  }
}

/** Where a form was sent from: the page of a thing, or for what is done to nothing in particular the form's own. */
const pageBehind = (pathname: string): string =>
  pathname.includes('/-/') ? pathname : pathname.replace(/\/[^/]*$/, '') || '/'

const findVisitor = async (request: FastifyRequest, deps: Deps): Promise<Session | undefined> => {
  const secret = readCookie(request, SESSION)
  return secret === undefined ? undefined : findSession(deps, secret)
}

/** Whether the request comes with the cookie of a session. */
export const isSignedIn = async (request: FastifyRequest, deps: Deps): Promise<boolean> =>
  (await findVisitor(request, deps)) !== undefined

/** Lets nobody past who is not signed in, and takes no form that another site sent. */
export function guard(scope: FastifyInstance, deps: Deps): void {
  scope.addHook('onRequest', async (request, reply) => {
    const session = await findVisitor(request, deps)
    if (session) sessions.set(request, session)
    // A form is read first, so that what was typed can be kept.
    else if (isRead(request)) return askToSignIn(reply, deps.settings)
  })
  scope.addHook('preHandler', async (request, reply) => {
    if (isRead(request)) return
    const session = sessions.get(request)
    if (!session) return askToSignIn(reply, deps.settings)
    if (!isFromOwnPage(request, deps.settings)) return refuseForeignForm(reply)
    const given = typedIn(request).get('formToken') ?? ''
    if (session.formToken !== '' && isSame(given, session.formToken)) return
    if (!showsFormAgain(request)) return refuseForeignForm(reply)
    markOutdated(request)
  })
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Whether the route shows a form of an earlier session again, instead of doing what it says. */
const showsFormAgain = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { showsFormAgain?: boolean }).showsFormAgain === true

/** What was typed on a page of ours, and sent to a route that shows it again. */
function keptFormIn(request: FastifyRequest, settings: Settings): Html | undefined {
  const isKept = !isRead(request) && showsFormAgain(request) && isFromOwnPage(request, settings)
  return isKept ? keptForm(request.url, typedIn(request)) : undefined
}

function askToSignIn(reply: FastifyReply, settings: Settings) {
  rememberAsked(reply, ownOrigin(reply.request, settings))
  const kept = keptFormIn(reply.request, settings)
  if (kept) return askToSignInFirst(reply, settings, { title: 'Sign in', kept })
  return sendCard(reply, {
    status: 401,
    title: 'Sign in',
    body: html`<p>This is the operators’ dashboard.</p>
      ${waysToSignIn(settings)}
      <p class="small">Sessions last twelve hours, or one hour without a visit.</p>`,
  })
}

/** The session is there, and too old for what was asked (OPER-36). */
export const askToSignInAgain = (reply: FastifyReply, settings: Settings) =>
  askToSignInFirst(reply, settings, {
    title: 'Sign in again',
    why: 'This needs a sign-in within the last 15 minutes.',
    kept: keptFormIn(reply.request, settings),
    isAgain: true,
  })

type First = Readonly<{
  title: string
  why?: string
  kept: Html | undefined
  isAgain?: boolean
}>

/** A form came that needs a sign-in before it. */
function askToSignInFirst(
  reply: FastifyReply,
  settings: Settings,
  { title, why = 'Your session has ended.', kept = html``, isAgain = false }: First,
) {
  const origin = ownOrigin(reply.request, settings)
  const { pathname } = new URL(reply.request.url, 'http://dashboard')
  rememberPage(reply, { path: pageBehind(pathname), origin })
  return sendCard(reply, {
    status: 401,
    title,
    body: html`<p>Nothing was changed. ${why}</p>
      ${waysToSignIn(settings, { isAgain, isInOtherTab: kept.html !== '' })} ${kept}
      <p><a href="/">To the overview</a></p>`,
  })
}

export const refuseForeignForm = (reply: FastifyReply) =>
  sendCard(reply, {
    status: 403,
    title: 'This was not sent from the dashboard',
    body: html`<p>
        Nothing was changed. Go back, load the page again and repeat it there. If it stays like
        this, the dashboard was opened over plain HTTP from another machine: use HTTPS with
        <code>ADMIN_URL</code>, or a tunnel to this machine.
      </p>
      <p><a href="/">To the overview</a></p>`,
  })
