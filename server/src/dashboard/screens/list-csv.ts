/** A list as a CSV file: every row that the filters leave, page after page, never all in memory (OPER-121). */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { toWireDate } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { PAGE_LIMIT_MAX } from '../../kernel/page.ts'
import type { Money } from '../../kernel/money/money.ts'
import { moneyToText } from '../../kernel/money/wire-money.ts'
import { isSessionAsBefore } from '../../operator/sign-in/dashboard-access.ts'
import { plainText } from '../../pages/html.ts'
import type { Row } from '../ask.ts'
import { NOTHING } from '../cells/cells.ts'
import { csvLine } from '../cells/csv.ts'
import { sessionOf } from '../gate.ts'
import { HEADERS } from '../layout.ts'
import type { Column, Section, Visit } from '../section.ts'
import { callOf, sectionInView } from './list-page.ts'

const titlesOf = ({ title, moneyOf }: Column): string[] =>
  moneyOf ? [title, `${title}: currency`] : [title]

/** In whole units of the currency. */
function amountCells(money: Money | undefined): string[] {
  if (!money) return ['', '']
  const { amount, currency } = money
  const text = moneyToText({ amount: amount < 0n ? -amount : amount, currency })
  return `${amount < 0n ? '-' : ''}${text}`.split(' ')
}

function cellsOf({ plain, moneyOf, cell }: Column, row: Row, visit: Visit): string[] {
  if (moneyOf) return amountCells(moneyOf(row))
  if (plain) return [plain(row, visit)]
  const shown = cell(row, visit)
  if (typeof shown === 'string') return [shown]
  return [shown === NOTHING ? '' : plainText(shown)]
}

/** A page of the list, from the start or after its last row. */
function readPage(section: Section, visit: Visit, last?: Row): Promise<readonly Row[]> {
  const { command, older } = section.list
  const { options } = callOf(section, visit, { isWhole: true })
  return visit.ask(command, {
    options: {
      ...options,
      ...(isPaged(section) && { limit: String(PAGE_LIMIT_MAX) }),
      ...(older && last && { [older.option]: older.of(last) }),
    },
  })
}

const isPaged = ({ list: { older, command } }: Section): boolean =>
  older !== undefined && 'limit' in (command.options ?? {})

type Sending = Readonly<{ first: readonly Row[]; mustLast: () => Promise<void> }>

async function* linesOf(section: Section, visit: Visit, { first, mustLast }: Sending) {
  const { list, idOf } = section
  yield csvLine([...(idOf ? ['Id'] : []), ...list.columns.flatMap(titlesOf)])
  let rows = first
  for (;;) {
    const lines = rows.map((row) =>
      csvLine([
        ...(idOf ? [idOf(row)] : []),
        ...list.columns.flatMap((column) => cellsOf(column, row, visit)),
      ]),
    )
    yield lines.join('')
    const last = rows.at(-1)
    if (!isPaged(section) || !last || rows.length < PAGE_LIMIT_MAX) return
    await mustLast()
    rows = await readPage(section, visit, last)
  }
}

/**
 * The first page is read before anything is sent, so that a refusal is shown as a page. The file breaks off where the
 * session ends, or its operator is changed, meanwhile (OPER-2).
 */
export async function sendCsv(reply: FastifyReply, given: Section, visit: Visit) {
  const section = sectionInView(given, visit)
  const session = sessionOf(reply.request) ?? fail('UNAUTHORIZED')
  const mustLast = async (): Promise<void> => {
    if (!(await isSessionAsBefore(visit.deps, session))) fail('UNAUTHORIZED')
  }
  const first = await readPage(section, visit)
  return reply
    .headers({
      ...HEADERS,
      'content-disposition': `attachment; filename="${section.path}-${toWireDate(visit.now)}.csv"`,
    })
    .type('text/csv; charset=utf-8')
    .send(Readable.from(linesOf(section, visit, { first, mustLast })))
}
