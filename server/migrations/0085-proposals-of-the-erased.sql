-- What was given to a command goes with the customer that it was about.
alter table proposals alter column sealed_input drop not null;
