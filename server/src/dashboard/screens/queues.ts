/** What waits for operators, and for how long. */
import { addMs, toWireTime } from '../../kernel/clock.ts'
import { html, type Html } from '../../pages/html.ts'
import { atClockOf } from '../cells/at-clock-of.ts'
import { ageOf } from '../cells/cells.ts'
import { addressOf, countOf } from '../layout.ts'
import type { Counted, Visit } from '../section.ts'

/** `since` is when the oldest began to wait, where that is known. */
export type Queue = Counted & Readonly<{ since: string | undefined }>

/** Of every section in which something can wait. Only where something does, the oldest is asked for. */
export const readQueues = (visit: Visit, counted: readonly Counted[]): Promise<readonly Queue[]> =>
  Promise.all(
    counted
      .filter(({ section }) => section.count !== undefined)
      .map(async ({ section, waiting }) => ({
        section,
        waiting,
        since: waiting > 0 ? await oldestOf(visit, section) : undefined,
      })),
  )

/** In our time, also where the one that waits belongs to a platform with a clock of its own. */
async function oldestOf(visit: Visit, section: Counted['section']): Promise<string | undefined> {
  const { waitsSince, list } = section
  if (!waitsSince) return undefined
  const options = { ...list.views?.[0]?.options, limit: '1' }
  const [oldest] = await visit.ask(list.command, { options })
  const since = oldest && waitsSince(oldest)
  if (since === undefined) return undefined
  const aheadMs = atClockOf(section, visit, oldest).now.getTime() - visit.now.getTime()
  return toWireTime(addMs(new Date(since), -aheadMs))
}

const tile = (visit: Visit, { section, waiting, since }: Queue): Html =>
  html`<li>
    <a class="some" href="${addressOf(visit, `/${section.path}`)}">
      <span class="number">${countOf(waiting)}</span> ${section.waits ?? section.title}${
        since === undefined ? '' : html`<span class="age">oldest: ${ageOf(since, visit.now)}</span>`
      }</a
    >
  </li>`

/** Queues in which nothing waits are only named. */
export function queuesView(visit: Visit, queues: readonly Queue[]): Html {
  const [filled, empty] = [
    queues.filter(({ waiting }) => waiting > 0),
    queues.filter(({ waiting }) => waiting === 0),
  ]
  return html`<section aria-labelledby="waiting">
    <h2 id="waiting">Waiting for you</h2>
    ${
      filled.length === 0
        ? ''
        : html`<ul class="tiles">
            ${filled.map((queue) => tile(visit, queue))}
          </ul>`
    }
    ${agesView(visit, filled)} ${empty.length === 0 ? '' : emptyView(visit, empty)}
  </section>`
}

const emptyView = (visit: Visit, queues: readonly Queue[]): Html =>
  html`<p class="small empty-queues">
    Nothing in:
    ${queues.map(
      ({ section }) =>
        html`<a href="${addressOf(visit, `/${section.path}`)}"
          >${section.waits ?? section.title}</a
        > `,
    )}
  </p>`

/** How long the oldest of each queue has waited, longest first, as bars; the longest bar is full. */
function agesView({ now }: Visit, queues: readonly Queue[]): Html {
  const aged = queues
    .flatMap(({ section, since }) =>
      since === undefined
        ? []
        : [
            {
              name: section.waits ?? section.title,
              since,
              ms: Math.max(0, now.getTime() - Date.parse(since)),
            },
          ],
    )
    .toSorted((one, other) => other.ms - one.ms)
  const longest = aged[0]?.ms ?? 0
  if (longest === 0) return html``
  return html`<figure class="plot ages" aria-labelledby="ages">
    <figcaption><h3 id="ages">Age of queues</h3></figcaption>
    <dl>
      ${aged.map(
        ({ name, since, ms }) =>
          html`<dt>${name}</dt>
            <dd>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class="${ms > 86_400_000 ? 'warn' : 'first'}"
                  width="${String(Math.max(1, Math.round((100 * ms) / longest)))}"
                  height="10"
                />
              </svg>
              <span title="${since}">${ageOf(since, now)}</span>
            </dd>`,
      )}
    </dl>
  </figure>`
}
