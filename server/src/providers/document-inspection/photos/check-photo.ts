/** Quality checks of a photo that do not read its text (chapter 11, 7.7). Pure; the thresholds are data. */
import type { Photo } from './shrink-photo.ts'

export type PhotoFinding = 'NOT_IN_COLOR' | 'OUT_OF_FOCUS' | 'CORNERS_NOT_VISIBLE'

export const PHOTO_LIMITS = {
  /** Judged by the header, before decoding. */
  pixelsMax: 50_000_000,
  longSideMin: 400,
  shortSideMin: 250,
  /** What the photo is shrunk to before it is measured; the thresholds below hold at this size. */
  measuredLongSide: 800,
  colorSpreadMin: 30,
  colorShareMin: 0.03,
  laplacianVarianceMin: 40,
  bandPixelsMin: 3,
  bandShare: 0.015,
  foregroundDistance: 40,
  /** More than this of one side's band: the document runs off that side. */
  bandForegroundShareMax: 0.25,
  /** Less than this of the whole: no document is distinguishable. */
  foregroundShareMin: 0.1,
} as const

export function checkPhoto(photo: Photo, { isFace }: { isFace: boolean }): PhotoFinding[] {
  const findings: PhotoFinding[] = []
  if (colorShare(photo) < PHOTO_LIMITS.colorShareMin) findings.push('NOT_IN_COLOR')
  if (laplacianVariance(photo) < PHOTO_LIMITS.laplacianVarianceMin) findings.push('OUT_OF_FOCUS')
  if (!isFace && !areCornersVisible(photo)) findings.push('CORNERS_NOT_VISIBLE')
  return findings
}

// The loops below run over half a million pixels in a waiting request: plain indexes, no allocations.

function colorShare({ rgb }: Photo): number {
  let colored = 0
  for (let at = 0; at < rgb.length; at += 3) {
    const red = rgb[at] ?? 0
    const green = rgb[at + 1] ?? 0
    const blue = rgb[at + 2] ?? 0
    const spread = Math.max(red, green, blue) - Math.min(red, green, blue)
    if (spread >= PHOTO_LIMITS.colorSpreadMin) colored += 1
  }
  return colored / (rgb.length / 3)
}

function lumaOf({ rgb }: Photo): Float64Array {
  const luma = new Float64Array(rgb.length / 3)
  for (let i = 0; i < luma.length; i += 1) {
    const at = i * 3
    luma[i] = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0)
  }
  return luma
}

/** Sharp edges make the second derivative swing; a blurred photo has none. */
function laplacianVariance(photo: Photo): number {
  const { width, height } = photo
  const luma = lumaOf(photo)
  let count = 0
  let sum = 0
  let squares = 0
  for (let y = 1; y < height - 1; y += 1) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i += 1) {
      const beside = (luma[i - 1] ?? 0) + (luma[i + 1] ?? 0)
      const above = (luma[i - width] ?? 0) + (luma[i + width] ?? 0)
      const value = beside + above - 4 * (luma[i] ?? 0)
      count += 1
      sum += value
      squares += value * value
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2
}

/** Whether the document lies inside the photo, on a background that shows all around it. */
function areCornersVisible(photo: Photo): boolean {
  const { width, height } = photo
  const share = PHOTO_LIMITS.bandShare * Math.min(width, height)
  const band = Math.max(PHOTO_LIMITS.bandPixelsMin, Math.round(share))
  // A strip may be narrower than its band.
  const [across, down] = [Math.min(band, width), Math.min(band, height)]
  const foreground = foregroundOf(photo, medianOfBand(photo, band))
  const shareIn = (area: Area): number => foregroundShare({ photo, foreground, area })
  const sides: readonly Area[] = [
    { left: 0, right: width, top: 0, bottom: down },
    { left: 0, right: width, top: height - down, bottom: height },
    { left: 0, right: across, top: 0, bottom: height },
    { left: width - across, right: width, top: 0, bottom: height },
  ]
  if (sides.some((side) => shareIn(side) > PHOTO_LIMITS.bandForegroundShareMax)) return false
  const all = { left: 0, right: width, top: 0, bottom: height }
  return shareIn(all) >= PHOTO_LIMITS.foregroundShareMin
}

type Area = Readonly<{ left: number; right: number; top: number; bottom: number }>

function foregroundShare({
  photo: { width },
  foreground,
  area: { left, right, top, bottom },
}: Readonly<{ photo: Photo; foreground: Uint8Array; area: Area }>): number {
  let found = 0
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) found += foreground[y * width + x] ?? 0
  }
  return found / ((right - left) * (bottom - top))
}

type Color = Readonly<{ red: number; green: number; blue: number }>

function foregroundOf({ rgb }: Photo, { red, green, blue }: Color): Uint8Array {
  const far = PHOTO_LIMITS.foregroundDistance
  const foreground = new Uint8Array(rgb.length / 3)
  for (let i = 0; i < foreground.length; i += 1) {
    const at = i * 3
    const isFar =
      Math.abs((rgb[at] ?? 0) - red) > far ||
      Math.abs((rgb[at + 1] ?? 0) - green) > far ||
      Math.abs((rgb[at + 2] ?? 0) - blue) > far
    if (isFar) foreground[i] = 1
  }
  return foreground
}

function medianOfBand({ width, height, rgb }: Photo, band: number): Color {
  const [red, green, blue] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)]
  let total = 0
  for (let y = 0; y < height; y += 1) {
    const isEdgeRow = y < band || y >= height - band
    for (let x = 0; x < width; x += 1) {
      // Only ever forward: in a strip the two edges meet or overlap, and there is nothing between them to skip.
      if (!isEdgeRow && x === band) x = Math.max(x, width - band)
      const at = (y * width + x) * 3
      total += 1
      countIn(red, rgb[at] ?? 0)
      countIn(green, rgb[at + 1] ?? 0)
      countIn(blue, rgb[at + 2] ?? 0)
    }
  }
  return { red: medianOf(red, total), green: medianOf(green, total), blue: medianOf(blue, total) }
}

function countIn(counts: Uint32Array, value: number): void {
  counts[value] = (counts[value] ?? 0) + 1
}

function medianOf(counts: Uint32Array, total: number): number {
  let seen = 0
  return counts.findIndex((count) => (seen += count) * 2 >= total)
}
