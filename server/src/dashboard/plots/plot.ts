/**
 * Plots as SVG that the server renders. Labels stand beside the drawing as text, so that they stay readable at any
 * width; every plot has its numbers in a table behind it. Colours say what something means, as badges do.
 */
import { html, type Html } from '../../pages/html.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'muted' | 'first' | 'second'

export type Series = Readonly<{
  name: string
  tone: Tone
  /** One for each point in time. */
  values: readonly number[]
  /** The value exactly, where a number would round it. */
  textAt?(index: number): string
  /** All of it in one number, for the legend. */
  total?: string
}>

export type Plot = Readonly<{
  /** In addresses and ids. */
  id: string
  title: string
  /** What one sees, in a sentence. */
  summary: string
  kind: 'bars' | 'lines'
  /** How each point in time is called, in the table. */
  labels: readonly string[]
  series: readonly Series[]
}>

const [WIDTH, HEIGHT] = [720, 160]

const STEPS = [1, 2, 3, 4, 5, 6, 8, 10]

/** The next round number whose half is whole: an axis of counts has no half ticks (OPER-136). */
export function roundUp(value: number): number {
  if (value <= 10) return Math.max(2, 2 * Math.ceil(value / 2))
  const power = 10 ** Math.floor(Math.log10(value))
  return (STEPS.find((step) => step * power >= value) ?? 10) * power
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** `1.2k`: short enough for an axis. */
export function inShort(value: number): string {
  const [size, unit] = UNITS.find(([one]) => Math.abs(value) >= one) ?? [1, '']
  return `${Number((value / size).toPrecision(3))}${unit}`
}

/** With commas. Made when one is shown: the first formatter of a process takes some 40 ms. */
export const inNumbers = (count: number): string => count.toLocaleString('en')

/** What a series has at a point, as its table says it. */
const textAt = ({ values, textAt: exact }: Series, index: number): string =>
  exact?.(index) ?? inNumbers(values[index] ?? 0)

const at = (value: number): string => String(Math.round(value * 100) / 100)

/** The highest point: of bars the sum of what stands on each other. */
function topOf({ kind, labels, series }: Plot): number {
  const heights = labels.map((_, index) => {
    const values = series.map(({ values: all }) => all[index] ?? 0)
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values)
  })
  return roundUp(Math.max(0, ...heights))
}

function bars({ labels, series }: Plot, top: number): Html[] {
  const step = WIDTH / labels.length
  const width = step > 4 ? step - Math.min(3, step / 4) : step
  return labels.flatMap((_, index) => {
    let base = HEIGHT
    return series.flatMap(({ tone, values }) => {
      const height = ((values[index] ?? 0) / top) * HEIGHT
      if (height <= 0) return []
      base -= height
      const [x, y] = [at(index * step + (step - width) / 2), at(base)]
      return [
        html`<rect
          class="${tone}"
          x="${x}"
          y="${y}"
          width="${at(width)}"
          height="${at(height)}"
        />`,
      ]
    })
  })
}

/** From the middle of one point in time to the next. */
function lines({ labels, series }: Plot, top: number): Html[] {
  const step = WIDTH / labels.length
  return series.map(({ tone, values }) => {
    const points = values.map(
      (value, index) => `${at((index + 0.5) * step)},${at(HEIGHT - (value / top) * HEIGHT)}`,
    )
    return html`<polyline class="${tone}" points="${points.join(' ')}" />`
  })
}

/** A strip over each point in time says its values under the pointer. */
function strips({ labels, series }: Plot): Html[] {
  const step = WIDTH / labels.length
  return labels.map((label, index) => {
    const says = series.map((one) => `${one.name} ${textAt(one, index)}`)
    return html`<rect
      class="strip"
      x="${at(index * step)}"
      y="0"
      width="${at(step)}"
      height="${String(HEIGHT)}"
      ><title>${label}: ${says.join(', ')}</title></rect
    >`
  })
}

const LABELS_SHOWN = 4

/** A few of the names, evenly: the first and the last among them. */
const shownLabels = (labels: readonly string[]): readonly string[] =>
  labels.length <= LABELS_SHOWN
    ? labels
    : Array.from(
        { length: LABELS_SHOWN },
        (_, n) => labels[Math.round((n * (labels.length - 1)) / (LABELS_SHOWN - 1))] ?? '',
      )

const legend = ({ series }: Plot): Html =>
  html`<ul class="legend">
    ${series.map(
      ({ name, tone, total }) =>
        html`<li>
          <span class="key ${tone}" aria-hidden="true"></span
          >${name}${total === undefined ? '' : html` <strong>${total}</strong>`}
        </li>`,
    )}
  </ul>`

/** The numbers of a plot, as rows of a table or of a file. */
export const rowsOf = ({ labels, series }: Plot): readonly (readonly string[])[] =>
  labels.map((label, index) => [label, ...series.map((one) => textAt(one, index))])

export const headOf = ({ series }: Plot): readonly string[] => [
  'Time (UTC)',
  ...series.map(({ name }) => name),
]

const tableOf = (plot: Plot): Html => {
  const head = headOf(plot)
  return html`<div class="table" tabindex="0" role="region" aria-label="Numbers: ${plot.title}">
    <table>
      <caption class="unseen">
        ${plot.title}
      </caption>
      <thead>
        <tr>
          ${head.map((title) => html`<th scope="col" class="figure">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rowsOf(plot)
          .toReversed()
          .map(
            (row) =>
              html`<tr>
                ${row.map((cell, n) => html`<td class="figure" data-title="${head[n] ?? ''}">${cell}</td>`)}
              </tr>`,
          )}
      </tbody>
    </table>
  </div>`
}

const drawing = (plot: Plot): Html => {
  const top = topOf(plot)
  const shape = plot.kind === 'bars' ? bars(plot, top) : lines(plot, top)
  return html`<div class="drawing">
    <ol class="scale" aria-hidden="true">
      ${[top, top / 2, 0].map((value) => html`<li>${inShort(value)}</li>`)}
    </ol>
    <svg
      viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${plot.title}: ${plot.summary}"
    >
      ${[0, HEIGHT / 2, HEIGHT].map((y) => html`<line class="grid" x1="0" x2="${String(WIDTH)}" y1="${String(y)}" y2="${String(y)}" />`)}
      ${shape} ${strips(plot)}
    </svg>
    <ol class="times" aria-hidden="true">
      ${shownLabels(plot.labels).map((label) => html`<li>${label}</li>`)}
    </ol>
  </div>`
}

/** A plot with its legend, its table and the address of its numbers as a file. */
export const plotView = (plot: Plot, csvHref: string): Html =>
  html`<figure class="plot" aria-labelledby="plot-${plot.id}">
    <figcaption>
      <h3 id="plot-${plot.id}">${plot.title}</h3>
      <p class="small">${plot.summary}</p>
    </figcaption>
    ${legend(plot)} ${drawing(plot)}
    <details class="numbers">
      <summary>Numbers<span class="unseen">: ${plot.title}</span></summary>
      ${tableOf(plot)}
      <p>
        <a href="${csvHref}" download>CSV<span class="unseen">: ${plot.title}</span></a>
      </p>
    </details>
  </figure>`
