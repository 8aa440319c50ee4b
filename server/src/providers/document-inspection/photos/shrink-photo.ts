/** Pixels in rows, three bytes each: red, green, blue. */
export type Photo = Readonly<{ width: number; height: number; rgb: Uint8Array }>

const CHANNELS = 3

/**
 * Shrinks by area averaging until the long side is at most `longSideMax`; never enlarges. Every pixel of the result is
 * the mean of exactly the area it covers, parts of pixels at its border counted in part, so that what is measured on
 * it does not depend on how large the original was.
 */
export function shrinkPhoto(photo: Photo, longSideMax: number): Photo {
  const longSide = Math.max(photo.width, photo.height)
  if (longSide <= longSideMax) return photo
  const width = Math.max(1, Math.round((photo.width * longSideMax) / longSide))
  const height = Math.max(1, Math.round((photo.height * longSideMax) / longSide))
  const scale = photo.height / height
  const rgb = new Uint8Array(width * height * CHANNELS)
  const area = new Float64Array(width * CHANNELS)
  const line = new Float64Array(width * CHANNELS)
  for (let y = 0; y < height; y += 1) {
    area.fill(0)
    const top = y * scale
    const bottom = Math.min((y + 1) * scale, photo.height)
    for (let from = Math.floor(top); from < bottom; from += 1) {
      const share = Math.min(from + 1, bottom) - Math.max(from, top)
      shrinkLine(photo, from, line)
      for (let i = 0; i < line.length; i += 1) area[i] = (area[i] ?? 0) + share * (line[i] ?? 0)
    }
    for (let i = 0; i < area.length; i += 1) {
      rgb[y * area.length + i] = Math.round((area[i] ?? 0) / (bottom - top))
    }
  }
  return { width, height, rgb }
}

/** One row, as the means of its parts. */
function shrinkLine({ width, rgb }: Photo, y: number, line: Float64Array): void {
  const narrow = line.length / CHANNELS
  const scale = width / narrow
  const start = y * width * CHANNELS
  for (let x = 0; x < narrow; x += 1) {
    const left = x * scale
    const right = Math.min((x + 1) * scale, width)
    let red = 0
    let green = 0
    let blue = 0
    for (let from = Math.floor(left); from < right; from += 1) {
      const share = Math.min(from + 1, right) - Math.max(from, left)
      const at = start + from * CHANNELS
      red += share * (rgb[at] ?? 0)
      green += share * (rgb[at + 1] ?? 0)
      blue += share * (rgb[at + 2] ?? 0)
    }
    line[x * CHANNELS] = red / (right - left)
    line[x * CHANNELS + 1] = green / (right - left)
    line[x * CHANNELS + 2] = blue / (right - left)
  }
}
