/** What needs somebody, at the top of the overview: each line leads to where it is dealt with (OPER-111). */
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS, toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import { mayUse } from '../../operator/access/must-be-allowed.ts'
import { cheapChecks, doctorCommands } from '../../operator/commands/doctor/doctor.ts'
import { readFigures, type ProviderFigures } from '../../orders/index.ts'
import { html, type Html } from '../../pages/html.ts'
import {
  listFailingEndpoints,
  type FailingEndpoint,
} from '../../webhooks/endpoints/failing-endpoints.ts'
import { inWords, timeOf } from '../cells/cells.ts'
import { addressOf, countOf } from '../layout.ts'
import type { Visit } from '../section.ts'
import { pageOf } from './list-page.ts'
import type { Queue } from './queues.ts'

/** Says first whether all is well; then what is not. */
export const attentionView = (alerts: readonly Html[]): Html =>
  alerts.length === 0
    ? html`<p class="verdict good" role="status">
        <strong>All is well.</strong> Nothing needs attention.
      </p>`
    : html`<section aria-labelledby="attention" role="status" class="verdict bad">
        <h2 id="attention">Needs attention: ${String(alerts.length)}</h2>
        <ul class="alerts">
          ${alerts.map((alert) => html`<li>${alert}</li>`)}
        </ul>
      </section>`

const failingView = ({
  platformId,
  platformName,
  url,
  since,
  waiting,
  lastError,
}: FailingEndpoint): Html =>
  html`<span class="badge bad">Webhooks failing</span> <strong>${platformName}</strong>: ${url} has
    taken nothing since ${timeOf(toWireTime(since))}. ${countOf(waiting)} waiting. Last error:
    ${lastError}.
    <a href="/events?platform=${formatId('platform', platformId)}&view=waiting"
      >Events that wait</a
    >`

/** Everything that the operator may see, and that is not as it should be. */
export async function readAlerts(visit: Visit, queues: readonly Queue[]): Promise<readonly Html[]> {
  const { deps, now, caller } = visit
  // Also those that began within the last minute: nothing is well while webhooks fail.
  const failing = await listFailingEndpoints(deps.db.read, addMs(now, MINUTE_MS))
  const seen = failing.filter(({ platformId }) => caller.platforms?.includes(platformId) ?? true)
  return [
    ...seen.map(failingView),
    ...(mayUse(caller, doctorCommands.doctor) ? await installationAlerts(visit) : []),
    ...queues.flatMap((queue) => queueAlerts(visit, queue)),
  ]
}

/** How the installation is concerns those who run all of it (OPER-3). */
async function installationAlerts(visit: Visit): Promise<readonly Html[]> {
  const standings = await readStandings(visit)
  const checks = (await cheapChecks(visit.deps)).filter(
    ({ check, ok }) => !ok && check !== 'providers',
  )
  return [
    ...standings.flatMap((one) => providerAlerts(one, visit)),
    ...checks.map(
      ({ check, detail }) =>
        html`<span class="badge bad">${inWords(check)}</span> ${detail}.
          <a href="#health">Health of the installation</a>`,
    ),
  ]
}

const LONG_MS = DAY_MS

/** What went wrong, and what has waited for more than a day. */
function queueAlerts(visit: Visit, { section, waiting, since }: Queue): readonly Html[] {
  if (waiting === 0) return []
  const { path, title, waits = title, isTrouble } = section
  const isLate = since !== undefined && addMs(new Date(since), LONG_MS) <= visit.now
  if (!isTrouble && !isLate) return []
  const link = html`<a href="${addressOf(visit, `/${path}`)}">${title}</a>`
  return [
    isTrouble
      ? html`<span class="badge bad">${waits}</span> <strong>${countOf(waiting)}</strong>. ${link}`
      : html`<span class="badge warn">Waiting long</span> <strong>${waits}</strong>:
          ${countOf(waiting)}, the oldest since ${timeOf(since ?? '')}. ${link}`,
  ]
}

type Standing = ProviderFigures & Readonly<{ provider: RegisteredProvider }>

async function readStandings({ deps }: Visit): Promise<readonly Standing[]> {
  const figures = await readFigures(deps.db.read)
  return figures.flatMap((one) => {
    const provider = deps.providers.find(one.providerId)
    return provider ? [{ ...one, provider }] : []
  })
}
/** A provider that does not answer, is late, or contradicts itself (PROV-71, PROV-142). */
function providerAlerts({ provider, ...figures }: Standing, visit: Visit): readonly Html[] {
  const { circuit, circuitSince, oldestOpenAt, exceptionsOpen, oldestExceptionAt } = figures
  const { id, name, resendWindowSeconds } = provider
  const page = pageOf(visit, { path: 'providers', id: formatId('provider', id) })
  const since = (at: Date | null): Html => (at ? timeOf(toWireTime(at)) : html``)
  const isLate =
    oldestOpenAt !== null && addMs(oldestOpenAt, resendWindowSeconds * SECOND_MS) <= visit.now
  return [
    circuit === 'OPEN' &&
      html`<span class="badge bad">Provider failing</span> <strong>${name}</strong> has not answered
        since ${since(circuitSince)}. Orders to it wait. <a href="${page}">Provider ${name}</a>`,
    isLate &&
      html`<span class="badge bad">Orders late</span> <strong>${name}</strong> has had an order
        without an outcome since ${since(oldestOpenAt)}.
        <a href="/orders?provider=${name}">Open orders of ${name}</a>`,
    exceptionsOpen > 0 &&
      html`<span class="badge bad">Exceptions</span> <strong>${name}</strong>:
        ${exceptionsOpen === 1 ? 'one waits' : `${exceptionsOpen} wait`} for a decision, the oldest
        since ${since(oldestExceptionAt)}. <a href="/exceptions">Exceptions to decide</a>`,
  ].filter((alert) => alert !== false)
}
