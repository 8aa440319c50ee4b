/** What is broken, at the top of the overview. */
import { addMs, SECOND_MS, toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import { readFigures, type ProviderFigures } from '../../orders/index.ts'
import { html, type Html } from '../../pages/html.ts'
import type { FailingEndpoint } from '../../webhooks/endpoints/failing-endpoints.ts'
import { timeOf } from '../cells/cells.ts'
import { countOf } from '../layout.ts'
import type { Visit } from '../section.ts'
import { pageOf } from './list-page.ts'

/** Stands first, and only while something is broken. */
export const attentionView = (alerts: readonly Html[]): Html =>
  alerts.length === 0
    ? html``
    : html`<section aria-labelledby="attention" role="status">
        <h2 id="attention">Needs attention</h2>
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

type Standing = ProviderFigures & Readonly<{ provider: RegisteredProvider }>

/** Webhook endpoints that take nothing, and providers that do not do what they should. */
export async function readAlerts(
  visit: Visit,
  failing: readonly FailingEndpoint[],
): Promise<readonly Html[]> {
  const standings = await readStandings(visit)
  return [...failing.map(failingView), ...standings.flatMap((one) => providerAlerts(one, visit))]
}

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
