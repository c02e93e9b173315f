// Sounds: short tones that the browser generates itself. It is loaded only where they are wanted.

/** The frequency of each tone in hertz, by kind of event. */
const TONES = {
  tip: 320, jump: 420, battle: 180, removed: 130, roll: 260, move: 300, pinned: 190, sown: 380, captured: 540, ended: 660,
};

const LENGTH = 0.09;

let context = null;

/** Plays the sound of an event. */
export function sound(kind) {
  if (!TONES[kind]) return;
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.frequency.value = TONES[kind];
  volume.gain.setValueAtTime(0.15, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + LENGTH);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + LENGTH);
}
