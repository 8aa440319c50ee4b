/** The first screen: whether all is well, what waits, what happens, and how the installation is. */
import type { FastifyInstance } from 'fastify'
import { html, type Html } from '../../pages/html.ts'
import { mayUse } from '../../operator/access/must-be-allowed.ts'
import type { Answer } from '../../operator/command.ts'
import { figureCommands } from '../../operator/commands/money/figures.ts'
import { doctorCommands } from '../../operator/commands/doctor/doctor.ts'
import { RANGE_NAMES, type Range } from '../../operator/figures/figure.ts'
import { badge, inWords, timeOf } from '../cells/cells.ts'
import { csvLine } from '../cells/csv.ts'
import { formToken, HEADERS } from '../layout.ts'
import { currenciesLeftOut, plotsOf, type Figures } from '../plots/figure-plots.ts'
import { headOf, plotView, rowsOf } from '../plots/plot.ts'
import { attentionView, readAlerts } from './attention.ts'
import { queuesView, readQueues } from './queues.ts'
import type { Gate, Screen, Visit } from '../section.ts'

type Checks = Answer<typeof doctorCommands.doctor>['checks']

export function registerOverview(scope: FastifyInstance, gate: Gate): void {
  scope.get('/', async (request, reply) => {
    const visit = await gate.visit(request)
    // Developers begin with what their platform asked (OPER-105).
    if (!mayUse(visit.caller, figureCommands.list))
      return reply.headers(HEADERS).redirect('/requests', 303)
    return gate.show(reply, visit, await overview(gate, visit))
  })
  scope.post('/check', async (request, reply) => {
    const visit = await gate.visit(request)
    const { checks } = await visit.ask(doctorCommands.doctor)
    return gate.show(reply, visit, await overview(gate, visit, checks))
  })
  scope.get('/figures/:plot', async (request, reply) => {
    const visit = await gate.visit(request)
    const { plot: name } = request.params as { plot: string }
    const plot = plotsOf(await readFigures(visit), { isWhole: true }).find(
      ({ id }) => `${id}.csv` === name,
    )
    if (!plot) return reply.callNotFound()
    const lines = [headOf(plot), ...rowsOf(plot)].map(csvLine)
    return reply.headers(HEADERS).type('text/csv; charset=utf-8').send(lines.join(''))
  })
}

const rangeOf = ({ query }: Visit): Range =>
  RANGE_NAMES.find((name) => name === query.get('range')) ?? '24h'

const readFigures = (visit: Visit): Promise<Figures> =>
  visit.ask(figureCommands.list, {
    options: {
      range: rangeOf(visit),
      ...(visit.platformId !== undefined && { platform: visit.platformId }),
    },
  })

async function overview(gate: Gate, visit: Visit, checks?: Checks): Promise<Screen> {
  const [queues, figures] = await Promise.all([
    gate.counts(visit.deps).then((counted) => readQueues(visit, counted)),
    readFigures(visit),
  ])
  const isOfAll = mayUse(visit.caller, doctorCommands.doctor)
  return {
    title: 'Overview',
    within: '',
    body: html`${attentionView(await readAlerts(visit, queues))} ${queuesView(visit, queues)}
    ${figuresView(visit, figures)} ${isOfAll ? healthView(visit, checks) : ''}
    ${platformsView(visit.platforms)}`,
  }
}

const RANGE_TITLES: Readonly<Record<Range, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

/** The address of something about the same platform and range. */
const addressIn = ({ platformId }: Visit, path: string, range: Range): string =>
  `${path}?${new URLSearchParams({ range, ...(platformId !== undefined && { platform: platformId }) })}`

function figuresView(visit: Visit, figures: Figures): Html {
  const range = rangeOf(visit)
  const leftOut = currenciesLeftOut(figures)
  return html`<section aria-labelledby="figures">
    <h2 id="figures">What happens</h2>
    <ul class="views" aria-label="Range">
      ${RANGE_NAMES.map(
        (name) =>
          html`<li>
            <a
              href="${addressIn(visit, '/', name)}#figures"
              ${name === range ? html`aria-current="true"` : ''}
              >${RANGE_TITLES[name]}</a
            >
          </li>`,
      )}
    </ul>
    <div class="plots">
      ${plotsOf(figures).map((plot) =>
        plotView(plot, addressIn(visit, `/figures/${plot.id}.csv`, range)),
      )}
    </div>
    <p class="small">
      ${figures.countedAt === undefined ? 'Not counted yet.' : html`Counted at ${timeOf(figures.countedAt)}.`}
      Balances follow by two minutes. A sandbox whose clock is ahead is shown by how long ago
      something is on its clock.
      ${leftOut.length === 0 ? '' : html`Without a plot here: ${leftOut.join(', ')}.`}
    </p>
  </section>`
}

const healthView = (visit: Visit, checks: Checks = []): Html =>
  html`<section aria-labelledby="health">
    <h2 id="health">Health of the installation</h2>
    ${
      checks.length === 0
        ? ''
        : html`<dl class="facts">
            ${checks.map(
              ({ check, ok, detail }) =>
                html`<div>
                  <dt>${inWords(check)}</dt>
                  <dd>
                    <span class="badge ${ok ? 'good' : 'bad'}">${ok ? 'OK' : 'Attention'}</span>
                    ${detail}
                  </dd>
                </div>`,
            )}
          </dl>`
    }
    <p class="small">
      The check verifies every balance of the book and looks for dead jobs and missing prices.
    </p>
    <form method="post" action="/check">
      ${formToken(visit)}<button>${checks.length === 0 ? 'Check now' : 'Check again'}</button>
    </form>
  </section>`

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
                  <th scope="col">Since</th>
                </tr>
              </thead>
              <tbody>
                ${platforms.map(
                  (one) =>
                    html`<tr>
                      <td data-title="Name">${one.name}</td>
                      <td data-title="Environment">${badge(one.environment)}</td>
                      <td data-title="Kind">${badge(one.kind)}</td>
                      <td data-title="Since">${timeOf(one.createdAt)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`
