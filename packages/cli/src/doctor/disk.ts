import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCodeOf, type Finding } from '@vidimus/core-types'

const [SCARCE_BYTES, TOO_LITTLE_BYTES] = [1e9, 1e8]

/** Room for the data in a folder, and who else can read it. A missing folder will be created. */
export async function diskFinding(folder: string): Promise<Finding> {
  const name = 'disk'
  try {
    const there = await nearest(folder)
    const { bavail, bsize } = await statfs(there)
    const free = bavail * bsize
    const message = `${(free / 1e9).toFixed(1)} GB free for ${folder}`
    if (free < SCARCE_BYTES) {
      const level = free < TOO_LITTLE_BYTES ? 'fail' : 'warn'
      return { name, level, message, advice: 'free up space, or move the data directory to a larger disk' }
    }
    return there === folder && (await isOpenToOthers(folder))
      ? { name, level: 'warn', message: `${message}; other users may read it`, advice: `chmod 700 ${folder}` }
      : { name, level: 'ok', message }
  } catch (error) {
    const advice = 'choose another data directory, or give the user of the service access'
    return { name, level: 'fail', message: `${folder} cannot be inspected (${systemCodeOf(error)})`, advice }
  }
}

/** The folder, or the first above it that exists. */
async function nearest(folder: string): Promise<string> {
  try {
    await stat(folder)
    return folder
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    return nearest(dirname(folder))
  }
}

const isOpenToOthers = async (folder: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(folder)).mode & 0o007) !== 0
