-- Whether a visit lies beside whatever else takes its employees' time: its rows do not block.
ALTER TABLE appointment ADD COLUMN squeezed_in boolean NOT NULL DEFAULT false;
