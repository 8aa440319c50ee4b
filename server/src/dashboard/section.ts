/**
 * What a screen of the dashboard is made of. A section is data: which command fills its list, which columns that has,
 * which command shows one thing of it, and which commands do something to it. `serve-section.ts` does the rest.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../kernel/access/operator.ts'
import type { Money } from '../kernel/money/money.ts'
import type { Deps } from '../infra/deps.ts'
import type { Html } from '../pages/html.ts'
import type { Values } from '../operator/command-line/command-line.ts'
import type { Answer, Command } from '../operator/command.ts'
import type { platformCommands } from '../operator/commands/service/platforms.ts'
import type { LiveList } from '../operator/queries/live/change-store.ts'
import type { Ask, Row, Submit } from './ask.ts'

/** One request of somebody who is signed in. */
export type Visit = Readonly<{
  ask: Ask
  submit: Submit
  /** With the operator who is signed in, so that what is done is audited under their name. */
  deps: Deps
  now: Date
  caller: Caller
  formToken: string
  notice: string | undefined
  /** The platform that lists are narrowed to, as it is in the address. */
  platformId: string | undefined
  platforms: Answer<typeof platformCommands.list>
  path: string
  query: URLSearchParams
}>

/** What is shown inside the frame. */
export type Screen = Readonly<{
  status?: number
  title: string
  /** The section it belongs to, by path. */
  within?: string
  /** What the page is reached from. */
  back?: Readonly<{ href: string; title: string }>
  /** It is what has come of a form. */
  isAnswer?: boolean
  /** Said at the top: why nothing was done. */
  problems?: readonly string[]
  body: Html
}>

export type Cell = string | Html

/** A column of a list, or a line of the facts about one thing. */
export type Column<R = Row> = Readonly<{
  title: string
  cell(row: R, visit: Visit): Cell
  /** In a CSV file, where that is more than the text of the cell: a whole id, an exact time, a code. */
  plain?(row: R, visit: Visit): string
  /** An amount, which in a CSV file stands beside its currency. */
  moneyOf?(row: R): Money | undefined
  /** Figures are set flush right. */
  isFigure?: boolean
  /** Of one thing it is left out where there is nothing to say. */
  isLeftOut?: boolean
}>

export type Choice = Readonly<{ value: string; label: string }>

export type Filter = Readonly<{
  /** The option of the list's command, and the name in the address. */
  name: string
  label: string
  choices?: readonly Choice[] | ((visit: Visit) => readonly Choice[])
  placeholder?: string
  /** A line of text unless said otherwise. */
  kind?: 'day' | 'amount'
}>

/** What tells one list of a section from another. */
export type OtherList<R = Row> = Pick<List<R>, 'command' | 'caption' | 'columns' | 'empty'>

/** One of several lists that a section has, as the dead jobs and the waiting ones; the first is shown unasked. */
export type View = Readonly<{
  name: string
  title: string
  options?: Values
  /** Where the view is a list of something else: what differs from the section's own. */
  list?: OtherList
}>

export type Field<R = Row> = Readonly<{
  /** The option of the action's command. */
  name: string
  label: string
  hint?: string
  /** A line of text unless said otherwise; `lines` are as many values as there are lines, `boxes` as are ticked. */
  kind?: 'line' | 'text' | 'lines' | 'choice' | 'switch' | 'boxes'
  choices?(row: R, visit: Visit): readonly Choice[]
  /** The boxes that are ticked at first. */
  ticked?(row: R): readonly string[]
  /** The value of the option where no box is ticked; absent by default. */
  ifNone?: string
  isRequired?: boolean
  /** The value is an argument of the command, after those of the action's `args`, instead of an option. */
  isArgument?: boolean
}>

/** A part of a form that fields cannot say. */
export type FormPart<R = Row> = Readonly<{
  render(row: R, typed: URLSearchParams): Html
  read(typed: URLSearchParams): Values
}>

/** `R` is what it is done to, `A` what its command answers. */
export type Action<R = Row, A = unknown> = Readonly<{
  /** In the address. */
  name: string
  /** On the button. */
  label: string
  command: Command<A>
  about?: string
  fields?: readonly Field<R>[]
  part?: FormPart<R>
  tone?: 'good' | 'bad'
  /** Whether it makes sense now; the command decides in the end. Always, unless said otherwise. */
  isOffered?(row: R, visit: Visit): boolean
  /** The arguments of the command; by default the id in the address. */
  args?(row: R, typed: URLSearchParams): readonly string[]
  /** Options that are not typed into the form, such as the platform of the page. */
  options?(row: R): Values
  /** What it is done to is gone afterwards, so the list is the next page. */
  endsIt?: boolean
  /** What the next page says. */
  done: string
  /** The answer holds something that is shown once, so it is the next page. */
  showsAnswer?: boolean
  /** The same, where that depends on what it is done to. */
  showsAnswerOf?(row: R): boolean
  /** How that page shows it, where not line by line. */
  answerView?(answer: A, visit: Visit): Html
}>

/** Where the command goes on after a row: the option, what of the row it takes, and what is on the button. */
export type Older<R = Row> = Readonly<{ option: string; of(row: R): string; label?: string }>

export type List<R = Row> = Readonly<{
  command: Command<readonly R[]>
  /** What it is a list of, for those who hear it read out. */
  caption: string
  /** Narrowed by the platform that was chosen; only where its command takes `--platform`. */
  byPlatform?: boolean
  views?: readonly View[]
  filters?: readonly Filter[]
  columns: readonly Column<R>[]
  /** What is said where it is empty. */
  empty: string
  /** What is said above it, where there is something to say. */
  notice?(visit: Visit): Promise<Html>
  /** How many rows to ask for, where the command takes `--limit`. */
  limit?: number
  older?: Older<R>
  /** What the open list is watched as, where its rows are refreshed by themselves (OPER-125). */
  live?: LiveList
  /** What its pages can be opened by: the label of a field for it. */
  lookup?: Readonly<{ label: string; placeholder: string }>
  /** A filter of the command that cannot be done without, as the platform of events; says what to choose. */
  needsPlatform?: string
}>

export type Detail<R = Row> = Readonly<{
  /** Shows one thing by its id. Without one it is looked for in the list, in every view. */
  command?: Command<R>
  title(row: R): string
  facts?: readonly Column<R>[]
  body?(row: R, visit: Visit): Html | Promise<Html>
  /** The id of what the page has a timeline of. */
  timelineOf?(row: R): string
  actions?: readonly Action<R>[]
  /** Tells states apart: what is done from a page that shows an older one is refused. */
  versionOf?(row: R): string
  /** What else is said where the state has moved on: who was faster. */
  explain?(row: R, visit: Visit): Promise<readonly string[]>
}>

/** `L` is a row of its list, `D` what its pages are about. */
export type Section<L = Row, D = L> = Readonly<{
  /** In addresses. */
  path: string
  title: string
  about: Cell
  /** What waits, for the navigation; nothing is shown for none. */
  count?(deps: Deps): Promise<number>
  /** Since when a row of its list waits; the oldest is the first. */
  waitsSince?(row: L): string | undefined
  /** Its times are of the service's clock, also where a row belongs to a platform with one of its own. */
  isOnServiceTime?: true
  /** What waits has gone wrong, so the overview begins with it. */
  isTrouble?: true
  /** What waits, where it is not called like the section. */
  waits?: string
  list: List<L>
  /** The id of a row, by which its page is found. */
  idOf?(row: L): string
  detail?: Detail<D>
  /** What is done to nothing in particular, as making a platform. */
  actions?: readonly Action[]
  /** Further addresses below the section's own. */
  routes?(scope: FastifyInstance, gate: Gate): void
}>

/** The path of the section to which a form leads that makes a proposal. */
export const PROPOSALS = 'proposals'

/** A section with what waits in it. */
export type Counted = Readonly<{ section: Section; waiting: number }>

/** What a section's addresses are served with. */
export type Gate = Readonly<{
  deps: Deps
  visit(request: FastifyRequest): Promise<Visit>
  /** Shows a screen in its frame. */
  show(reply: FastifyReply, visit: Visit, screen: Screen): Promise<FastifyReply>
  /** Leads on after something was done, and leaves what to say there. */
  leadTo(
    request: FastifyRequest,
    reply: FastifyReply,
    to: Readonly<{ location: string; notice: string }>,
  ): Promise<FastifyReply>
  counts(deps: Deps): Promise<readonly Counted[]>
}>
