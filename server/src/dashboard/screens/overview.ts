/** The first screen: what waits, whether the installation is well, which platforms there are. */
import type { FastifyInstance } from 'fastify'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { countFailedEvents } from '../../operator/queries/operator-store.ts'
import { listFailingEndpoints } from '../../webhooks/endpoints/failing-endpoints.ts'
import { html, type Html } from '../../pages/html.ts'
import { mayUse } from '../../operator/access/may-run.ts'
import type { Answer } from '../../operator/command.ts'
import { serviceCommands } from '../../operator/commands/service/service.ts'
import { badge, inWords, timeOf } from '../cells/cells.ts'
import { addressOf, countOf, formToken } from '../layout.ts'
import { attentionView, readAlerts } from './attention.ts'
import type { Counted, Gate, Screen, Visit } from '../section.ts'

type Checks = Answer<typeof serviceCommands.doctor>['checks']

export function registerOverview(scope: FastifyInstance, gate: Gate): void {
  scope.get('/', async (request, reply) => {
    const visit = await gate.visit(request)
    return gate.show(reply, visit, await overview(gate, visit))
  })
  scope.post('/check', async (request, reply) => {
    const visit = await gate.visit(request)
    const { checks } = await visit.ask(serviceCommands.doctor)
    return gate.show(reply, visit, await overview(gate, visit, checks))
  })
}

/** How the installation is concerns those who run all of it (OPER-3). */
async function overview(gate: Gate, visit: Visit, checks?: Checks): Promise<Screen> {
  if (!mayUse(visit.caller, serviceCommands.doctor)) return ownOverview(gate, visit)
  const failed = await countFailedEvents(visit.deps.db.read, addMs(visit.now, -DAY_MS))
  const failing = await listFailingEndpoints(visit.deps.db.read, visit.now)
  const counted = await gate.counts(visit.deps)
  return {
    title: 'Overview',
    within: '',
    body: html`${attentionView(await readAlerts(visit, failing))} ${waitingView(visit, counted)}
    ${healthView(visit, { checks, failed, failing: failing.length })}
    ${platformsView(visit.platforms)}`,
  }
}

const ownOverview = async (gate: Gate, visit: Visit): Promise<Screen> => ({
  title: 'Overview',
  within: '',
  body: html`${waitingView(visit, await gate.counts(visit.deps))} ${platformsView(visit.platforms)}`,
})

function waitingView(visit: Visit, counted: readonly Counted[]): Html {
  const waiting = counted.filter(({ section }) => section.count !== undefined)
  return html`<section aria-labelledby="waiting">
    <h2 id="waiting">Waiting for you</h2>
    <ul class="tiles">
      ${waiting.map(
        ({ section, waiting: count }) =>
          html`<li>
            <a
              class="${count > 0 ? 'some' : 'none'}"
              href="${addressOf(visit, `/${section.path}`)}"
            >
              <span class="number">${countOf(count)}</span> ${section.waits ?? section.title}</a
            >
          </li>`,
      )}
    </ul>
  </section>`
}

type Health = Readonly<{ checks: Checks | undefined; failed: number; failing: number }>

function healthView(visit: Visit, { checks, ...events }: Health): Html {
  return html`<section aria-labelledby="health">
    <h2 id="health">Health</h2>
    <dl class="facts">
      ${healthLines(checks, events).map(
        ({ name, isOk, detail }) =>
          html`<div>
            <dt>${name}</dt>
            <dd>
              <span class="badge ${isOk ? 'good' : 'bad'}">${isOk ? 'OK' : 'Attention'}</span>
              ${detail}
            </dd>
          </div>`,
      )}
    </dl>
    <p class="small">
      The check verifies every balance of the book and looks for dead jobs and missing prices.
    </p>
    <form method="post" action="/check">
      ${formToken(visit)}<button>${checks === undefined ? 'Check now' : 'Check again'}</button>
    </form>
  </section>`
}

/** What costs little is always there; the rest once it was asked for. */
const healthLines = (
  checks: Checks = [],
  { failed, failing }: Pick<Health, 'failed' | 'failing'>,
) => [
  {
    name: 'Events of the last day',
    isOk: failed === 0 && failing === 0,
    detail: `${failed} not delivered${failing > 0 ? `; endpoints that are failing: ${failing}` : ''}`,
  },
  ...checks.map((one) => ({
    name: inWords(one.check),
    isOk: one.ok,
    detail: one.detail,
  })),
]

const platformsView = (platforms: Visit['platforms']): Html =>
  html`<section aria-labelledby="platforms">
    <h2 id="platforms">Platforms</h2>
    ${
      platforms.length === 0
        ? html`<p class="empty">There is none yet: <code>npx florin platforms create</code></p>`
        : html`<div class="table">
            <table>
              <caption>
                Platforms: ${String(platforms.length)}
              </caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Environment</th>
                  <th scope="col">Kind</th>
                  <th scope="col">Since (UTC)</th>
                </tr>
              </thead>
              <tbody>
                ${platforms.map(
                  (one) =>
                    html`<tr>
                      <td data-title="Name">${one.name}</td>
                      <td data-title="Environment">${badge(one.environment)}</td>
                      <td data-title="Kind">${badge(one.kind)}</td>
                      <td data-title="Since (UTC)">${timeOf(one.createdAt)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`
